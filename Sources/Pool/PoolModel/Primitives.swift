// Time stands in almost every value of the pool, so who imports these has it too.
@_exported public import Primitives
