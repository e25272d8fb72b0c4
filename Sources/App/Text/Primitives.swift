// Many texts are of times, so users of this module get the time types with it.
@_exported public import Primitives
