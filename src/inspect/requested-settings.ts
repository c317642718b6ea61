import {asObject, type JsonValue} from '../yaml/json-value.js'
import {jsonEqual} from '../yaml/json-equal.js'
import type {ControllerPod} from './controller-pod.js'
import {dangerOf} from './dangers.js'
import {type PodSetting, podSettings} from './pod-settings.js'

/** The outcome of rendering a requested setting. */
type Outcome = 'kept' | 'removed' | 'replaced'

/** A requested setting that changes the security of the pod. */
export interface RequestedSetting extends PodSetting {
  readonly byDefault: Outcome
  /** With `--allow-full-deployment`. */
  readonly ifAllowed: Outcome
  /** The reason why it is dangerous; absent if it is not known to be. */
  readonly danger?: string
}

/** The security settings that the package requests, compared with those of the rendered pods. */
export function requestedSettings({declared, confined, allowed}: ControllerPod): RequestedSetting[] {
  const [byDefault, ifAllowed] = [confined, allowed].map(pod =>
    valuesByKey(podSettings(asObject(pod.template))),
  )
  return podSettings(asObject(declared.template)).map(({value, ...place}) => {
    const key = keyOf(place)
    const danger = dangerOf(place.field, value)
    return {
      ...place,
      value,
      byDefault: outcome(value, byDefault?.get(key)),
      ifAllowed: outcome(value, ifAllowed?.get(key)),
      danger,
    }
  })
}

/** The first of two settings for one place is used. */
function valuesByKey(list: readonly PodSetting[]): ReadonlyMap<string, JsonValue> {
  return new Map(list.toReversed().map(setting => [keyOf(setting), setting.value]))
}

function keyOf({container, field}: Pick<PodSetting, 'container' | 'field'>): string {
  return JSON.stringify([container, field])
}

function outcome(value: JsonValue, then: JsonValue | undefined): Outcome {
  if (then === undefined) return 'removed'
  return jsonEqual(value, then) ? 'kept' : 'replaced'
}
