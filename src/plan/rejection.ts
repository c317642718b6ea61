import type {Diagnostic} from '../diagnostic.js'
import {CrossplaneError} from '../errors.js'
import {count, listSome} from '../text.js'
import type {Plan} from './plan.js'

const MAX_NAMES = 3

/** Counts rejections for a headline, with the files and packages that they are about; without these, states their messages. */
export function rejectionPlaces(rejections: readonly Diagnostic[]): string {
  const places = rejections.flatMap(rejection => placeOf(rejection) ?? [])
  const names = listSome([...new Set(rejections.map(one => placeOf(one) ?? one.message))], MAX_NAMES)
  if (places.length === 0) return names
  return `${count(rejections.length, 'error')}${places.length < rejections.length ? ':' : ' in'} ${names}`
}

function placeOf({file, subject}: Diagnostic): string | undefined {
  return file ?? subject?.package
}

/** Creates an `output-refused` with all rejections of a plan; `object` is the target, such as `the output folder`. */
export function rejected(object: string, rejections: readonly Diagnostic[]): CrossplaneError {
  return new CrossplaneError('output-refused', `cannot write ${object}: ${rejectionPlaces(rejections)}`, {
    diagnostics: rejections.map(({suggestions: _atTheEnd, ...rejection}) => rejection),
    suggestions: [...new Set(rejections.flatMap(({suggestions}) => suggestions ?? []))],
  })
}

/** Throws `output-refused` for a plan that must not be executed. */
export function expectExecutable({rejections}: Plan, object: string): void {
  if (rejections.length > 0) throw rejected(object, rejections)
}
