import {describeOutputs} from './image-output-contract.js'
import {memoryFolder, memoryTarget} from './memory-outputs.js'

describeOutputs(
  'in memory',
  () => memoryFolder('./layout'),
  () => memoryTarget('./file'),
)
