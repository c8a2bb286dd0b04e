public import Frames

extension MediaReader: FrameSource {}
