// The screens are drawn with it, and their users start them with it.
@_exported public import Terminal
