// What the programs are made of comes along with what they share.
@_exported public import Commands
