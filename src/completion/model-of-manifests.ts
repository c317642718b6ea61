import {present} from '../present.js'
import type {Candidate, CommandModel, KnownArgument, KnownCommand, KnownFlag, Topic} from './command-model.js'

/** The parts of an `oclif.manifest.json` that completion uses. */
interface Manifest {
  readonly commands: Readonly<Record<string, ManifestCommand>>
}

interface ManifestCommand {
  readonly summary?: string
  readonly hidden?: boolean
  readonly strict?: boolean
  readonly flags?: Readonly<Record<string, ManifestFlag>>
  readonly args?: Readonly<Record<string, KnownArgument & {readonly options?: readonly string[]}>>
}

interface ManifestFlag {
  readonly name: string
  readonly char?: string
  readonly type: 'boolean' | 'option'
  readonly summary?: string
  readonly hidden?: boolean
  readonly multiple?: boolean
  readonly helpValue?: string
  readonly options?: readonly string[]
}

/** The topics of a package.json, by oclif's IDs. */
type ManifestTopics = Readonly<Record<string, {readonly description?: string}>>

/** Makes the model of the program and its plugins, without what help hides. Called by the build. */
export function modelOfManifests(
  manifests: readonly Manifest[],
  topics: ManifestTopics,
  rules: readonly {readonly id: string; readonly title: string}[],
): CommandModel {
  return {
    commands: manifests.flatMap(({commands}) =>
      Object.entries(commands)
        .filter(([, {hidden}]) => hidden !== true)
        .map(([id, command]) => knownCommand(id, command)),
    ),
    topics: Object.entries(topics).map(([id, {description = ''}]): Topic => ({
      id: wordsOf(id),
      summary: description,
    })),
    rules: rules.map(({id, title}): Candidate => ({value: id, description: title})),
  }
}

function knownCommand(id: string, {summary = '', strict, flags, args}: ManifestCommand): KnownCommand {
  return {
    id: wordsOf(id),
    summary,
    flags: Object.values(flags ?? {})
      .filter(({hidden}) => hidden !== true)
      .map(knownFlag),
    args: Object.values(args ?? {}).map(({name, options}) => ({name, ...choices(options)})),
    isVariadic: strict === false,
  }
}

function knownFlag({name, char, type, summary = '', multiple, helpValue, options}: ManifestFlag): KnownFlag {
  return {
    name,
    ...present({char}),
    summary,
    takesValue: type === 'option',
    isRepeatable: multiple === true,
    ...present({valueName: helpValue}),
    ...choices(options),
  }
}

function choices(options: readonly string[] | undefined): {readonly choices?: readonly string[]} {
  return options === undefined ? {} : {choices: options}
}

function wordsOf(id: string): string {
  return id.replaceAll(':', ' ')
}
