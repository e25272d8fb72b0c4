// The values of these interfaces: a program that uses the library imports one module.
@_exported public import Primitives
