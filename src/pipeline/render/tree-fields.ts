import {DEFAULT_PIN} from '../../xpkg/pins.js'
import type {RenderChoices} from '../../render/render-part.js'
import type {JsonValue} from '../../yaml/json-value.js'
import type {GivenXpkgSettings} from '../../package/rendered-sets.js'

/** Fields of a declaration by their paths, with those that have no value. */
export type Fields = readonly (readonly [string, JsonValue | undefined])[]

/**
 * Returns the settings by which packages with `.registry/` are rendered, as fields of a declaration, but for those of objects that
 * several declarations can share.
 */
export function stackFields({era, crds, ...choices}: RenderChoices): ReadonlyMap<string, JsonValue> {
  const unlessDefault = <Value extends JsonValue | undefined>(value: Value, usual: Value) =>
    value === usual ? undefined : value
  return having([
    ['render.pin', choices.pin],
    ['render.api', unlessDefault(era.name, 'packages')],
    ['render.includeRequest', unlessDefault(choices.includeRequest, false)],
    ['render.crdVersion', unlessDefault(crds.apiVersion, 'v1')],
    ['render.nonStructural', unlessDefault(crds.nonStructural, 'refuse')],
    ['render.allowCorePermissions', unlessDefault(choices.allowCorePermissions, false)],
    ['render.allowFullDeployment', unlessDefault(choices.allowFullDeployment, false)],
    ['render.controllerImage', choices.controllerImage],
    ['render.templatesFrom', choices.templatesFrom],
  ])
}

/** Returns the settings by which packages for a current Crossplane are rendered, as fields of a declaration. */
export function xpkgFields(
  {pin = DEFAULT_PIN, activation = 'all', mirrors, ...settings}: GivenXpkgSettings,
  coreVersion: string | undefined,
): ReadonlyMap<string, JsonValue> {
  return having([
    ['coreVersion', coreVersion],
    ['xpkg.pin', pin],
    ['xpkg.resolver', settings.resolver === 'off' ? 'off' : undefined],
    // Policies in a file are no field of a declaration.
    ['xpkg.activate', activateField(activation)],
    ['xpkg.revisionActivationPolicy', settings.revisionActivationPolicy],
    ['xpkg.revisionHistoryLimit', settings.revisionHistoryLimit],
    ['xpkg.mirrors', mirrors === undefined ? undefined : true],
  ])
}

function activateField(activation: NonNullable<GivenXpkgSettings['activation']>): JsonValue | undefined {
  if (typeof activation === 'string') return activation === 'all' ? undefined : activation
  return 'names' in activation ? activation.names : undefined
}

/** Returns the fields that have a value. */
export function having(fields: Fields): ReadonlyMap<string, JsonValue> {
  return new Map(fields.flatMap(([field, value]) => (value === undefined ? [] : [[field, value]])))
}
