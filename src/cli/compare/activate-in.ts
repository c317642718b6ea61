import {CrossplaneError} from '../../errors.js'
import {type FoundActivation, writeActivation} from '../../pipeline/activation.js'
import {count} from '../../text.js'
import {inputFiles} from '../files/input-files.js'
import {imageOutputs} from '../wire.js'

/**
 * Writes the names of the used kinds into the declaration of a command line, and says what changes, and why no kind leaves the list.
 * Throws `usage` without one in a file.
 */
export async function activateIn(
  path: string | undefined,
  {names, open}: Pick<FoundActivation, 'names' | 'open'>,
): Promise<void> {
  const kept = open === 0 ? '' : `; no kind leaves the list: ${count(open, 'unread part')} can use others`
  if (path === undefined || path === '-') {
    throw new CrossplaneError('usage', '--write requires a declaration in a file', {
      suggestions: ['Pass --declaration FILE, or leave out --write.'],
    })
  }
  if (names === undefined) {
    process.stderr.write(`${path} is unchanged: it activates all used kinds${kept}\n`)
    return
  }
  const outputs = await imageOutputs()
  const file = await inputFiles.read(path, '--declaration')
  const {added, removed} = await writeActivation({path, file, names, open: name => outputs.file(name)})
  const isSame = added.length + removed.length === 0
  const change = isSame ? 'unchanged' : `${added.length} added, ${removed.length} removed`
  process.stderr.write(`${path} activates ${count(names.length, 'kind')} (${change})${kept}\n`)
}
