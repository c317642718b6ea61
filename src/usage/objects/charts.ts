import {asObject, asObjects} from '../../yaml/json-value.js'
import type {YamlDocument} from '../../yaml/read-yaml.js'
import {folderOf, type UnreadSetting} from './kustomization.js'
import type {UsageFile} from './used-object.js'

const CHART = /(?:^|\/)Chart\.ya?ml$/

/** Returns the folders of Helm charts, each with a `/` at its end. */
export function chartFolders(files: readonly UsageFile[]): readonly string[] {
  return files.flatMap(({path}) => (CHART.test(path) ? [folderOf(path)] : []))
}

/** Reports whether a file makes objects as a part of a chart, whatever its text is: a template can consist of an include. */
export function isOfChart({path, bytes}: UsageFile, charts: readonly string[]): boolean {
  return bytes.length > 0 && (CHART.test(path) || isTemplate(path, charts))
}

/** Reports whether a file is a template of a chart. */
export function isTemplate(path: string, charts: readonly string[]): boolean {
  return charts.some(chart => path.startsWith(`${chart}templates/`))
}

/** Reports whether a file has the values of a chart, which can look like an object. */
export function isValuesFile(path: string, charts: readonly string[]): boolean {
  return charts.includes(folderOf(path)) && /(?:^|\/)values(?:[-._][^/]*)?\.(?:ya?ml|json)$/.test(path)
}

/** Returns what a chart makes objects of that is not in its folder. */
export function chartSettings(document: YamlDocument, file: string): readonly UnreadSetting[] {
  if (!CHART.test(file) || asObjects(asObject(document.value).dependencies).length === 0) return []
  return [{line: document.lineOf(['dependencies']), reason: 'Helm renders the dependencies of the chart'}]
}
