import {CrossplaneError} from '../errors.js'
import type {WritableFile} from '../fetch/output-files.js'
import type {DesiredFile, FileSnapshot} from '../plan/file/plan-file.js'
import type {Operation, Plan} from '../plan/plan.js'
import {expectExecutable} from '../plan/rejection.js'
import {sha256Of} from '../plan/sha256.js'
import type {Target} from '../plan/target.js'

/** Creates the target for one file, such as a lock file. Readers see its old or its new content. */
export function fileTarget(file: WritableFile): Target<DesiredFile, FileSnapshot, void> {
  return {
    observe: () => observeFile(file),
    async apply(plan) {
      expectExecutable(plan, file.name)
      for (const operation of plan.operations) {
        const change = await remaining(operation, file)
        if (change?.content !== undefined) await file.write(bytesOf(change.content))
        else if (change !== undefined) await file.remove()
      }
    },
  }
}

/** Throws `output-refused` if the file has changed since the plan was made. Changes nothing. */
export async function expectAsPlanned({operations}: Plan, file: WritableFile): Promise<void> {
  for (const operation of operations) await remaining(operation, file)
}

/** Returns the change to make, without content for a deletion; undefined if it was made already. */
async function remaining(
  {action, content, precondition}: Operation,
  file: WritableFile,
): Promise<{readonly content?: string} | undefined> {
  const {bytes} = await observeFile(file)
  const before = bytes === undefined ? undefined : sha256Of(bytes)
  const expected = precondition !== undefined && 'sha256' in precondition ? precondition.sha256 : undefined
  const isDeleted = action === 'delete'
  if (content === undefined && !isDeleted) throw new RangeError('one file is only written or deleted')
  if (before === (content === undefined ? undefined : sha256Of(content))) return undefined
  if (before !== expected) throw changedMeanwhile(file.name)
  return isDeleted ? {} : {content}
}

/** Returns the text of a file; undefined if it does not exist. Throws `output-refused` for anything but a regular file. */
export async function textIn(file: WritableFile): Promise<string | undefined> {
  const {bytes} = await observeFile(file)
  return bytes === undefined ? undefined : Buffer.from(bytes).toString()
}

/** Reads the file as it is now. Throws `output-refused` for anything but a regular file. */
async function observeFile(file: WritableFile): Promise<FileSnapshot> {
  const existing = await file.existing()
  if (existing === undefined) return {}
  const chunks: Uint8Array[] = []
  for await (const chunk of existing.read()) chunks.push(chunk)
  return {bytes: Buffer.concat(chunks)}
}

async function* bytesOf(content: string): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from(content))
}

function changedMeanwhile(name: string): CrossplaneError {
  return new CrossplaneError(
    'output-refused',
    `cannot write ${name}: it has changed since the plan was made`,
    {
      suggestions: ['Run the command again: it starts from the file as it is now.'],
    },
  )
}
