// Identifiers, times and texts are in nearly all values here, so users of this module get them with it.
@_exported public import Text
