import {entryPlace} from '../../declaration/with-tag.js'
import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError, withDiagnostics} from '../../errors.js'
import {parseImageName} from '../../reference/image-name.js'
import {identityOf} from '../../reference/repository-name.js'
import type {ReadDeclaration} from './given-settings.js'

/** Adds the file and line of the declaration to diagnostics about what it requests. */
export async function withDeclaredPlaces<Value>(
  declaration: ReadDeclaration | undefined,
  act: () => Promise<Value>,
): Promise<Value> {
  try {
    return await act()
  } catch (error) {
    if (declaration === undefined || !(error instanceof CrossplaneError)) throw error
    throw withDiagnostics(
      error,
      error.diagnostics.map(diagnostic => placed(diagnostic, declaration)),
    )
  }
}

/** Entries of a split declaration are in files of their own, whose lines are not those of the whole. */
function placed(diagnostic: Diagnostic, {content, name, bytes, isSplit}: ReadDeclaration): Diagnostic {
  const {file, subject} = diagnostic
  if (file !== undefined || subject?.package === undefined || subject.requiredBy !== undefined)
    return diagnostic
  const identity = (text: string) => {
    const image = parseImageName(text)
    return image === undefined ? text : identityOf(image, content.defaultSource)
  }
  const requested = identity(subject.package)
  const index = entryOf(
    content.packages.map(entry => entry.package ?? ''),
    text => identity(text) === requested,
    subject.requirement,
  )
  if (index === -1) return diagnostic
  if (bytes === undefined) return {...diagnostic, file: name}
  const place = entryPlace({name, bytes}, index)
  return isSplit === true && place.file === name ? {...diagnostic, file: name} : {...diagnostic, ...place}
}

/** Of several entries for a package, the one of the tag or digest that is required. */
function entryOf(
  entries: readonly string[],
  isRequested: (text: string) => boolean,
  required: string | undefined,
): number {
  const isExact = (text: string) => {
    const {tag, digest} = parseImageName(text) ?? {}
    return isRequested(text) && required !== undefined && [tag, digest].includes(required)
  }
  const exact = entries.findIndex(isExact)
  return exact === -1 ? entries.findIndex(isRequested) : exact
}
