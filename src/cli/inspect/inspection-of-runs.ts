import type {ContainerFacts} from '../../inspect/containers.js'
import type {ImagePin} from '../../inspect/image-pin.js'
import type {InspectReport} from '../../inspect/inspect-report.js'
import type {ImageUse, Security, TemplateEngine} from '../../inspect/runs.js'
import type {SecretUse} from '../../inspect/secret-uses.js'
import type {RequestedSetting} from '../../inspect/requested-settings.js'
import type {JsonObject} from '../../yaml/json-value.js'
import {jsonInWords} from '../shell/text/json-in-words.js'
import {coverInWords, isCovered} from '../shell/text/cover-in-words.js'
import type {Paint} from '../shell/text/paint.js'
import {count} from '../../text.js'
import type {Section} from '../shell/text/section.js'
import {formatTable, type Row} from '../shell/text/table.js'

/** The containers, their images and their security settings. */
export function runsSection({runs, install}: InspectReport, paint: Paint): Section {
  if (runs.kind === 'nothing') return {title: 'RUNS nothing', lines: []}
  const {engine, security, secrets} = runs
  const account = `${install.namespace}/${runs.serviceAccount ?? ''}`
  const tables = [
    ...(engine === undefined ? [] : [engineRows(engine), ...createdRows(engine)]),
    imageRows(runs.images),
    containerRows(runs.containers),
    confinementRows(security),
    ...(security.asks.length === 0 ? [] : [askRows(security.asks)]),
    ...(secrets.length === 0 ? [] : [secretRows(secrets)]),
  ]
  return {
    title: `RUNS ${count(runs.replicas, 'replica')} of a ${runs.kind.replace('-', ' ')}, as service account ${account}`,
    lines: tables.flatMap((rows, index) => [...(index === 0 ? [] : ['']), ...formatTable(rows, paint)]),
  }
}

function engineRows({type, path, sourceImage, unread, ...engine}: TemplateEngine): Row[] {
  const {kind, apiVersion} = engine.for
  return [
    ['Engine', type],
    ['Templates', `${path} of ${sourceImage ?? "the package's own image"}`],
    ['Applied for', `each ${kind} of ${apiVersion}`],
    ...(unread === undefined ? [] : [['Creates', `unknown: ${unread}`]]),
  ]
}

/** The kinds that templates create; those without permissions are marked. */
function createdRows({creates}: TemplateEngine): readonly Row[][] {
  if (creates === undefined) return []
  if (creates.length === 0) return [[['CREATES nothing']]]
  const rows = creates.map((created): Row => {
    const {kind = '-', apiVersion = '-', files} = created
    const first = files.slice(0, 1).join('')
    const where = files.length > 1 ? `${first} and ${files.length - 1} more` : first
    const words = coverInWords(created)
    const permission = isCovered(created) ? words : ({text: words, style: 'red'} as const)
    return [kind, apiVersion, permission, where]
  })
  return [[['CREATES', 'API VERSION', 'PERMISSION', 'TEMPLATE'], ...rows]]
}

const PIN_WORDS: Readonly<Record<ImagePin, string>> = {
  digest: 'digest',
  tag: 'tag (can be moved)',
  latest: 'not pinned (latest)',
  none: 'not pinned (no tag)',
  invalid: 'invalid image reference',
}

function imageRows(images: readonly ImageUse[]): Row[] {
  const rows = images.map(({image, pin, usedBy}): Row => {
    const users = usedBy.join(', ')
    if (image === undefined) return [OWN_IMAGE, 'unknown', users]
    return [image, pin === 'digest' ? PIN_WORDS[pin] : {text: PIN_WORDS[pin], style: 'yellow'}, users]
  })
  return [['IMAGE', 'PINNED BY', 'USED BY'], ...rows]
}

const OWN_IMAGE = "the package's own (set it with --as-package)"

function containerRows(containers: readonly ContainerFacts[]): Row[] {
  const rows = containers.map(({name, role, command, args, ...policy}): Row => [
    name,
    role,
    pullPolicyInWords(policy),
    command.length === 0 ? "the image's own" : command.map(word).join(' '),
    args.map(word).join(' ') || '-',
  ])
  return [['CONTAINER', 'ROLE', 'PULL POLICY', 'COMMAND', 'ARGUMENTS'], ...rows]
}

function pullPolicyInWords({
  pullPolicy,
  isPullPolicyDefault,
}: Pick<ContainerFacts, 'pullPolicy' | 'isPullPolicyDefault'>): string {
  if (pullPolicy === undefined) return 'unknown'
  return isPullPolicyDefault ? `${pullPolicy} (default)` : pullPolicy
}

/** Quotes a word where its ends would be unclear. */
function word(text: string): string {
  return /^[\w./:=@%+,$()-]+$/.test(text) ? text : JSON.stringify(text)
}

function confinementRows({pod, container}: Security): Row[] {
  return [
    ['Security', `pod: ${settingsInWords(pod)}`],
    ['', `each container: ${settingsInWords(container)}`],
  ]
}

function settingsInWords(settings: JsonObject): string {
  return Object.entries(settings)
    .map(([name, value]) => `${name} ${jsonInWords(value)}`)
    .join(', ')
}

function askRows(asks: readonly RequestedSetting[]): Row[] {
  const rows = asks.map(({container, field, value, byDefault, ifAllowed, danger}): Row => [
    container === undefined ? 'pod' : container,
    `${field}: ${jsonInWords(value)}`,
    byDefault === 'kept' && danger !== undefined ? {text: byDefault, style: 'red'} : byDefault,
    ifAllowed,
    danger ?? '-',
  ])
  return [['REQUESTED BY', 'SETTING', 'BY DEFAULT', 'WITH --allow-full-deployment', 'DANGER'], ...rows]
}

function secretRows(secrets: readonly SecretUse[]): Row[] {
  const rows = secrets.map(({secret, key, as, container, name}): Row => {
    const place = [container, name].filter(part => part !== undefined).join(' ')
    return [secret, key ?? 'all', as === 'image-pull' ? 'pulling images' : `${as} ${place}`]
  })
  return [['SECRET', 'KEY', 'USED AS'], ...rows]
}
