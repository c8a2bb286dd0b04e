import Glibc
import PreviewServer
import Threads

// The network process of `headroom serve`: standard input is the link to the renderer, which controls it.
Confinement.begin()
// A keyboard interrupt is for the renderer, which ends streams first; a termination request is obeyed.
signal(SIGINT, SIG_IGN)
let server = Server(descriptor: 0)
var terminations = sigset_t()
unsafe sigemptyset(&terminations)
unsafe sigaddset(&terminations, SIGTERM)
// Threads that start later inherit this.
unsafe pthread_sigmask(SIG_BLOCK, &terminations, nil)
let status = server.run { [terminations] in
  Confinement.complete()
  try SystemThread.start {
    var (signals, received) = (terminations, Int32(0))
    while unsafe sigwait(&signals, &received) != 0 {}
    server.stop()
  }
}
exit(status)
