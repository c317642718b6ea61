import type {Diagnostic} from '../diagnostic.js'
import {CrossplaneError} from '../errors.js'
import {listSome} from '../text.js'
import type {Plan} from './plan.js'

const MAX_NAMES = 3

/** Creates an `output-refused` with all rejections of a plan; `object` is the target, such as `the output folder`. */
export function rejected(object: string, rejections: readonly Diagnostic[]): CrossplaneError {
  const places = [...new Set(rejections.map(({file, message}) => file ?? message))]
  return new CrossplaneError('output-refused', `cannot write ${object}: ${listSome(places, MAX_NAMES)}`, {
    diagnostics: rejections.map(({suggestions: _atTheEnd, ...rejection}) => rejection),
    suggestions: [...new Set(rejections.flatMap(({suggestions}) => suggestions ?? []))],
  })
}

/** Throws `output-refused` for a plan that must not be executed. */
export function expectExecutable({rejections}: Plan, object: string): void {
  if (rejections.length > 0) throw rejected(object, rejections)
}
