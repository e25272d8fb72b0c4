// The types of SyncSimulation are exported that stand in the interface of this module, so that a test imports this one alone.

@_exported public import struct SyncSimulation.FrameFaults
@_exported public import enum SyncSimulation.FrameMishap
