import {readFileSync} from 'node:fs'
import type {JsonSchema} from '../json-schema.js'

/** The documented schema of the report. */
export const REPORT_SCHEMA = JSON.parse(
  readFileSync('docs/schemas/inspect-report.v1alpha1.json', 'utf8'),
) as JsonSchema
