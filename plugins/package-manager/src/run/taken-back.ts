import {
  CrossplaneError,
  type JsonObject,
  objectsSetByOthers,
  overwrittenFields,
  overwrittenObjectsText,
  overwrittenText,
  type PlannedChange,
  type PlannedPackages,
  type SetInstall,
} from 'kubectl-crossplane/plugin'

type Before = PlannedPackages['before'][number]

/** Reports whether an install keeps its version. */
export function isSameVersion(
  {package: before}: Pick<SetInstall, 'package'>,
  {package: after}: SetInstall,
): boolean {
  return before?.digest === after?.digest && before?.tag === after?.tag
}

/**
 * Describes what others set and a change takes back, with the name of each field. Of a change of the version, only what is
 * certainly not a part of it: the fields that other managers set, and the settings of the install.
 */
export async function takenBack(change: PlannedChange, before: Before, own: SetInstall): Promise<string> {
  const overwritten = await change.overwritten().catch((error: unknown) => {
    // No change depends on the text of an Event.
    if (error instanceof CrossplaneError) return []
    throw error
  })
  if (isSameVersion(before, own)) return overwrittenObjectsText(overwritten)
  const texts = overwrittenObjectsText(objectsSetByOthers(overwritten))
  return joinedTexts([texts, settingsTakenBack(before, own)])
}

/** Joins the parts of a message that have something to say. */
export function joinedTexts(texts: readonly string[]): string {
  return texts.filter(text => text !== '').join('; ')
}

function settingsTakenBack(
  {namespace, name, request: before}: Before,
  {request: after}: Pick<SetInstall, 'request'>,
): string {
  if (before === undefined || after === undefined) return ''
  const settings = {apiVersion: '', kind: '', metadata: {namespace, name}}
  const fields = overwrittenFields(settings, {before: settingsOf(before), after: settingsOf(after)})
  const text = overwrittenText(fields.filter(({change}) => change !== 'restored'))
  return text === '' ? '' : `settings of the install: ${text}`
}

function settingsOf({
  runtime,
  serviceAccountAnnotations,
}: Pick<NonNullable<SetInstall['request']>, 'runtime' | 'serviceAccountAnnotations'>): JsonObject {
  const annotated = {serviceAccount: {annotations: {...serviceAccountAnnotations}}}
  return runtime === undefined ? annotated : {...annotated, runtime: {...(runtime as object)}}
}
