import type {Plan} from '../../plan/plan.js'
import {formatPlan} from '../../plan/plan-document.js'
import {imageOutputs} from '../wire.js'

/** Saves a plan to a file, which it replaces. */
export async function savePlan(plan: Plan, path: string): Promise<void> {
  const file = (await imageOutputs()).file(path)
  await file.existing()
  await file.write(bytesOf(formatPlan(plan)))
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from(text))
}
