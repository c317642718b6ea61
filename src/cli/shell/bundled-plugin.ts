import type {Command, Interfaces} from '@oclif/core'

/** What a bundle contains of a package with commands. */
export interface BundledPackage {
  readonly pjson: Interfaces.PJSON
  /** The commands of oclif.manifest.json. */
  readonly commands: readonly BundledCommand[]
  /** Imports the module of a command. */
  readonly load: (id: string) => Promise<object>
}

/** What starting must know of a command, and the rest, which is only parsed for the command that runs. */
interface BundledCommand {
  readonly outline: Partial<Command.Cached> & {readonly id: string}
  readonly details: () => Pick<Command.Cached, Detail>
}

type Detail = (typeof DETAILS)[number]
const DETAILS = ['args', 'description', 'examples', 'flags'] as const

/** Makes a plugin of oclif that reads nothing from disk. */
export function bundledPlugin(bundled: BundledPackage, root: string): Interfaces.Plugin {
  const {pjson} = bundled
  const {name, version} = pjson
  const load = async (id: string) => Object.assign(await bundled.load(id), {id, plugin}) as Command.Class
  const plugin: Interfaces.Plugin = {
    _base: `${name}@${version}`,
    alias: name,
    commandIDs: bundled.commands.map(({outline}) => outline.id),
    commands: bundled.commands.map(command => loadable(command, name, load)),
    commandsDir: undefined,
    findCommand: load,
    hasManifest: true,
    hooks: {},
    isRoot: pjson.oclif.bin !== undefined,
    load: () => Promise.resolve(),
    moduleType: 'module',
    name,
    options: {root},
    pjson,
    root,
    topics: Object.entries(pjson.oclif.topics ?? {}).map(([topic, rest]) => ({...rest, name: topic})),
    type: 'core',
    valid: true,
    version,
  }
  return plugin
}

function loadable(
  {outline, details}: BundledCommand,
  pluginAlias: string,
  load: (id: string) => Promise<Command.Class>,
): Command.Loadable {
  const command = {...outline, pluginAlias, pluginType: 'core', load: () => load(outline.id)}
  for (const name of DETAILS)
    Object.defineProperty(command, name, {
      enumerable: true,
      configurable: true,
      get: () => setDetails(command, details())[name],
      set: (value: unknown) => setDetails(command, {...details(), [name]: value}),
    })
  return command as Command.Loadable
}

/** Makes the details usual properties: oclif, and the short help, change some. */
function setDetails(command: object, details: Pick<Command.Cached, Detail>): Pick<Command.Cached, Detail> {
  for (const name of DETAILS) Object.defineProperty(command, name, {value: details[name], writable: true})
  return details
}
