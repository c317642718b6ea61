import {CRD_CASES} from './crd-cases.js'
import {OTHER_CASES} from './other-cases.js'
import {RECORD_CASES} from './record-cases.js'
import {CHANGE_CASES} from './removal-cases.js'
import {REQUEST_CASES, type RecordedCase} from './request-cases.js'

/** All recordings. They were made one after the other; each has names of its own here, so that they do not wait for each other. */
export const CASES: readonly RecordedCase[] = [
  ...REQUEST_CASES,
  ...CRD_CASES,
  ...RECORD_CASES,
  ...CHANGE_CASES,
  ...OTHER_CASES,
]
