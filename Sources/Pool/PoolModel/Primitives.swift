// Nearly all values here contain times, so users of this module get the time types with it.
@_exported public import Primitives
