// libass as a Clang module, and the callback that Swift cannot write: its messages are a `va_list`.
#pragma once
#include <ass/ass.h>
#include <stdlib.h>
#include <string.h>

#define HR_ASS static inline __attribute__((unused))

// What libass has said so far.
typedef struct {
  int missing_glyphs;
} hr_ass_messages;

HR_ASS void hr_ass_hear(int level, const char *format, va_list arguments, void *data) {
  (void)level, (void)arguments;
  if (strstr(format, "failed to find any fallback")) ((hr_ass_messages *)data)->missing_glyphs++;
}

// Messages go nowhere but here; by default libass writes them to standard error. NULL without memory.
HR_ASS hr_ass_messages *hr_ass_listen(ASS_Library *library) {
  hr_ass_messages *messages = (hr_ass_messages *)calloc(1, sizeof *messages);
  if (messages) ass_set_message_cb(library, hr_ass_hear, messages);
  return messages;
}

// After `ass_library_done`.
HR_ASS void hr_ass_stop_listening(hr_ass_messages *messages) { free(messages); }
