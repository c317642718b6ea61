import {memoryStore} from './memory-store.js'
import {cacheStoreContract} from './cache-store-contract.js'

cacheStoreContract('memory', () => memoryStore())
