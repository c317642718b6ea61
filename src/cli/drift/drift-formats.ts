import {placeText} from '../../health/sides/place.js'
import {SIDES} from '../../health/sides/sided-object.js'
import type {DriftReport} from '../../pipeline/drift/find-drift.js'
import type {Annotation} from '../shell/ci/github-annotation.js'
import {onCluster} from '../shell/document/on-cluster.js'
import {plainLine} from '../shell/text/plain-text.js'
import {differenceTexts, objectTitle, packageTexts} from './show-sides.js'

/** The document of `-o json`. */
export function driftDocument(report: DriftReport, argv: readonly string[]) {
  const {objects, denials, warnings: _onStandardError, ...rest} = report
  return {
    kind: 'DriftReport',
    ...rest,
    objects: objects.map(({name, differences, remedies = [], ...object}) => ({
      ...name,
      ...object,
      differences: differences.map(({place, ...difference}) => ({field: placeText(place), ...difference})),
      remedies: remedies.map(({side, command}) => ({side, command: onCluster(command, argv)})),
    })),
    missingPermissions: denials.map(({message}) => message),
  } as const
}

/** Returns the differences as errors, those of the tree at their files. */
export function sideAnnotations({objects, files, sides, ...report}: DriftReport): readonly Annotation[] {
  return [
    ...packageTexts(report).map(message => ({level: 'error' as const, title: 'drift', message})),
    ...objects.flatMap(object =>
      differenceTexts(object, sides).map((text): Annotation => ({
        level: 'error',
        title: 'drift',
        message: `${objectTitle(object)}: ${text}`,
        ...(object.path === undefined ? {} : {file: object.path}),
      })),
    ),
    ...files.map(({path, change, reason}): Annotation => ({
      level: 'error',
      title: change,
      message: reason,
      file: path,
    })),
  ]
}

/**
 * Formats the number of objects that differ, by side, as metrics.
 * https://prometheus.io/docs/instrumenting/exposition_formats/
 */
export function driftMetrics(report: DriftReport): string {
  const {sides, objects, unchanged, packages, corePackages, files} = report
  const differing = SIDES.filter(side => sides.includes(side)).map(side => {
    const number = objects.filter(({differences}) => differences.some(({differs}) => differs.includes(side)))
    return `crossplane_package_drift_objects{side="${side}"} ${number.length}`
  })
  return [
    ...metric('drift_objects', 'Objects that differ, by the side that differs.', differing),
    ...gauge('drift_unchanged_objects', 'Objects that are the same on all sides.', unchanged),
    ...gauge('drift_installs', 'Installs whose package is not that of the lock.', packages.length),
    ...(corePackages === undefined
      ? []
      : gauge('drift_core_packages', 'Packages that Crossplane has otherwise.', corePackages.length)),
    ...gauge('drift_files', 'Files of the tree without an object that differ.', files.length),
    ...metric('drift_object', 'An object that differs.', objects.flatMap(objectSamples)),
  ]
    .map(line => `${line}\n`)
    .join('')
}

function metric(name: string, help: string, samples: readonly string[]): readonly string[] {
  const full = `crossplane_package_${name}`
  return samples.length === 0 ? [] : [`# HELP ${full} ${help}`, `# TYPE ${full} gauge`, ...samples]
}

function gauge(name: string, help: string, value: number): readonly string[] {
  return metric(name, help, [`crossplane_package_${name} ${value}`])
}

function objectSamples({name, install, differences}: DriftReport['objects'][number]): readonly string[] {
  const differing = new Set(differences.flatMap(({differs}) => differs))
  return [...differing].map(side => {
    const labels = Object.entries({
      side,
      install: install === undefined ? '' : `${install.namespace}/${install.name}`,
      kind: name.kind,
      namespace: name.namespace ?? '',
      name: name.name,
    })
    const text = labels.map(([label, value]) => `${label}="${labelValue(value)}"`).join(',')
    return `crossplane_package_drift_object{${text}} 1`
  })
}

/** Line feeds are escaped as the format says, and other characters that a terminal obeys as everywhere. */
function labelValue(text: string): string {
  const plain = text.split('\n').map(plainLine).join('\n')
  return plain.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}
