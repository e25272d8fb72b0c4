// Identifiers, times, texts and pictures are in nearly all values here, so users of this module get them with it.
@_exported public import Pictures
@_exported public import Text
