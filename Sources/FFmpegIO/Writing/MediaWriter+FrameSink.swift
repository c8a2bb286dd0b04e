public import Frames

extension MediaWriter: FrameSink {}
