import type {ClusterDiff, ObjectDiff} from '../../pipeline/cluster/diff.js'
import {objectText} from '../../kubernetes/object-key.js'
import {writeYaml} from '../../yaml/write-yaml.js'
import type {JsonObject} from '../../yaml/json-value.js'
import {expectAccepted} from '../../pipeline/cluster/cluster-change.js'
import {externalDiff, runExternalDiff} from './external-diff.js'
import {lines} from '../shell/text/lines.js'
import {objectFileName} from '../shell/text/object-file-name.js'
import {type Paint, painter} from '../shell/text/paint.js'
import {plainLine, plainText} from '../shell/text/plain-text.js'
import {isQuietRun} from '../shell/flags/quiet-run.js'
import {formatDocument, show} from '../shell/document/show.js'
import {unifiedDiff} from '../shell/text/unified-diff.js'

/**
 * Shows a diff; returns whether anything differs. Throws `cluster-refused` where the change would be rejected.
 * @param effect - what comes first: lines on packages, for users.
 */
export async function showDiff(
  diff: ClusterDiff,
  format: 'text' | 'json' | 'yaml',
  argv: readonly string[],
  effect: readonly string[] = [],
): Promise<boolean> {
  const differs = await showObjects(diff, effect, format, argv)
  expectAccepted({operations: [], ...diff})
  return differs
}

async function showObjects(
  diff: ClusterDiff,
  effect: readonly string[],
  format: 'text' | 'json' | 'yaml',
  argv: readonly string[],
): Promise<boolean> {
  const {objects, unchanged, rejections} = diff
  if (format !== 'text') {
    await show(formatDocument({kind: 'ClusterDiff', objects, unchanged, rejections}, format))
    return objects.length > 0
  }
  const command = externalDiff(process.env)
  const isShown = objects.length === 0 || command.length === 0
  if (isShown) await show(formatDiff(diff, effect, painter(argv, 'stdout')))
  if (!isQuietRun(argv)) process.stderr.write(`${summaryOf(diff)}\n`)
  return isShown ? objects.length > 0 : await runExternalDiff(diff, command)
}

/** The effect, then each object with the reason and a unified diff; nothing where nothing differs. */
function formatDiff({objects}: ClusterDiff, effect: readonly string[], paint: Paint): string {
  if (objects.length === 0) return ''
  return lines([...effect, ...objects.flatMap(object => objectLines(object, paint))])
}

function objectLines({object, change, reason, unchecked, before, after}: ObjectDiff, paint: Paint): string[] {
  const heading = `${change} ${objectText(object)}: ${reason}`
  const versions = {path: objectFileName(object), before: yamlOf(before), after: yamlOf(after)}
  return [
    paint('bold', plainText(heading)),
    ...(unchecked !== undefined ? [plainText(`not checked by the server: ${unchecked}`)] : []),
    ...unifiedDiff(versions).map(plainLine),
  ]
}

function yamlOf(object: JsonObject | undefined): string | undefined {
  return object && writeYaml([object])
}

function summaryOf({objects, unchanged}: ClusterDiff): string {
  const changes = [...new Set(objects.map(({change}) => change))]
  const counts = changes.map(change => {
    const number = objects.filter(diff => diff.change === change).length
    return `${number} to ${change}`
  })
  return [...counts, `${unchanged} unchanged`].join(', ')
}
