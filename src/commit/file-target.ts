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
        const content = await remaining(operation, file)
        if (content !== undefined) await file.write(bytesOf(content))
      }
    },
  }
}

/** Throws `output-refused` if the file has changed since the plan was made. Changes nothing. */
export async function expectAsPlanned({operations}: Plan, file: WritableFile): Promise<void> {
  for (const operation of operations) await remaining(operation, file)
}

/** Returns the content to write; undefined if the file has it already. */
async function remaining(
  {content, precondition}: Operation,
  file: WritableFile,
): Promise<string | undefined> {
  const {bytes} = await observeFile(file)
  const before = bytes === undefined ? undefined : sha256Of(bytes)
  const expected = precondition !== undefined && 'sha256' in precondition ? precondition.sha256 : undefined
  if (content === undefined) throw new RangeError('one file is only written')
  if (before === sha256Of(content)) return undefined
  if (before !== expected) throw changedMeanwhile(file.name)
  return content
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
