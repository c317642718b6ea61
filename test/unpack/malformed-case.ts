import {describe, expect, it} from '@jest/globals'
import type {Diagnostic} from '../../src/diagnostic.js'
import {CrossplaneError, type ErrorCode} from '../../src/errors.js'
import {readPackage} from '../../src/unpack/read-package.js'
import type {PackageFile} from '../../src/unpack/package-file.js'

/** Files below `.registry/`, by path. */
export type Files = Readonly<Record<string, string | Uint8Array>>

/** A fault or warning as scripts see it; its sentence is for people. */
export type Place = Omit<Diagnostic, 'severity' | 'message'>

/** What came of reading a package: its warnings, or why it was refused. */
export type Reading =
  | {readonly warnings: readonly Place[]}
  | {readonly code: ErrorCode; readonly diagnostics: readonly Place[]}

export interface MalformedCase {
  readonly name: string
  readonly reason: string
  readonly files: Files
  readonly want: Reading
}

/** A suite that reads each case's files and compares all that was found. */
export function describeReadings(title: string, cases: readonly MalformedCase[]): void {
  describe(title, () => {
    it.each(cases)('$name: $reason', ({files, want}) => {
      expect(reading(files)).toEqual(want)
    })
  })
}

/** The reading of a package that is refused for exactly these faults. */
export function refused(...diagnostics: readonly Place[]): Reading {
  return {code: 'package-invalid', diagnostics}
}

/** The reading of a package that is taken, with exactly these warnings. */
export function taken(...warnings: readonly Place[]): Reading {
  return {warnings}
}

export function reading(files: Files): Reading {
  const found = findings(files)
  return found instanceof CrossplaneError
    ? {code: found.code, diagnostics: found.diagnostics.map(placeOf)}
    : {warnings: found.map(placeOf)}
}

/** The sentences of what was found. */
export function sentences(files: Files): string[] {
  const found = findings(files)
  return (found instanceof CrossplaneError ? found.diagnostics : found).map(({message}) => message)
}

function findings(files: Files): readonly Diagnostic[] | CrossplaneError {
  try {
    return readPackage('example', registryFiles(files)).warnings
  } catch (error) {
    if (error instanceof CrossplaneError) return error
    throw error
  }
}

function placeOf({message: _message, severity: _severity, ...place}: Diagnostic): Place {
  return place
}

export function registryFiles(files: Files): PackageFile[] {
  return Object.entries(files).map(([path, content]) => ({
    path,
    bytes: typeof content === 'string' ? Buffer.from(content) : content,
  }))
}

/** The least that app.yaml has to say. */
export const APP = 'permissionScope: Namespaced\n'
/** The same of a package that may own cluster-scoped CRDs. */
export const CLUSTER_APP = 'permissionScope: Cluster\n'

/** A CRD without faults, one field to a line. */
export const CRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.org
spec:
  group: example.org
  names:
    kind: Widget
    plural: widgets
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
`

/** A controller without faults, one field to a line. */
export const INSTALL = `apiVersion: apps/v1
kind: Deployment
spec:
  template:
    spec:
      containers:
      - name: controller
        image: example/controller
`

/** A text with one thing changed, which has to be in it. */
export function changed(text: string, from: string, to: string): string {
  if (!text.includes(from)) throw new Error(`${JSON.stringify(from)} is not in the text`)
  return text.replace(from, () => to)
}
