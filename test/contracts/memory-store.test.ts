import { memoryStore } from '../../src/adapters/stores/memory.ts'
import { storeContract } from './store-contract.ts'

storeContract('memory', async (clock) => memoryStore({ clock }))
