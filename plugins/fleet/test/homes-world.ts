import {cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {asObject, asText, type JsonObject, readYaml, writeYaml} from 'kubectl-crossplane/plugin'
import {type CliResult, runCli, runCliWith} from '../../../test/run-cli.js'
import {temporaryFolder, writeTree} from '../../../test/temporary-folder.js'

const SRC = join(import.meta.dirname, '../src')

/** Runs a command of the plugin. */
export async function runFleet(...argv: readonly string[]): Promise<CliResult> {
  return await runCliWith(SRC, ...argv)
}

const FOLDER = temporaryFolder()

/** Homes in a folder, with their packages beside. */
export class Homes {
  readonly root = mkdtempSync(join(FOLDER, 'homes-'))
  readonly packages = join(this.root, 'packages')

  /** The same homes in a folder of their own. */
  copy(): Homes {
    const copy = new Homes()
    cpSync(this.root, copy.root, {recursive: true})
    return copy
  }

  /** The folder of a home. */
  at(home: string): string {
    return join(this.root, home)
  }

  text(path: string): string {
    return readFileSync(this.at(path), 'utf8')
  }

  write(files: Readonly<Record<string, string>>): void {
    writeTree(this.root, files)
  }

  /** Adds a provider for a current Crossplane to the folder of packages. */
  publish(path: string, tag: string, {requires = {}, crd}: Published = {}): void {
    const dependsOn = Object.entries(requires).map(([provider, version]) => ({
      provider: `registry.test/${provider}`,
      version,
    }))
    const head = {
      ...{apiVersion: 'meta.pkg.crossplane.io/v1', kind: 'Provider', metadata: {name: path}},
      spec: {dependsOn},
    }
    this.write({
      [`packages/${path}@${tag}/crossplane.yaml`]: writeYaml([head]),
      ...(crd === undefined ? {} : {[`packages/${path}@${tag}/crds/crd.yaml`]: writeYaml([crd])}),
    })
  }

  /** Writes a declaration, and locks and renders it. */
  async home(path: string, packages: readonly JsonObject[], settings: JsonObject = {}): Promise<void> {
    const head = {apiVersion: 'packages.kubectl-crossplane.dev/v1alpha1', kind: 'PackageDeclaration'}
    mkdirSync(this.at(path), {recursive: true})
    const file = join(this.at(path), 'crossplane-packages.yaml')
    writeFileSync(file, writeYaml([{...head, ...settings, packages}]))
    for (const args of [['lock'], ['render', '--output-dir', join(this.at(path), 'packages')]]) {
      const {status, stderr} = await runCli(
        ...['package', ...args, '--declaration', file, '--packages', this.packages, '--quiet'],
      )
      if (status !== 0) throw new Error(stderr)
    }
  }

  /** The files of Providers in a home. */
  requests(home: string): readonly string[] {
    return readdirSync(this.at(home), {recursive: true, encoding: 'utf8'})
      .filter(name => /provider-[^/]*\.yaml$/.test(name))
      .map(name => `${home}/${name}`)
  }

  /** The locked versions of a home, by repository. */
  locked(path: string): Readonly<Record<string, string>> {
    const file = join(this.at(path), 'crossplane-packages.lock')
    const {xpkgs} = asObject(readYaml(readFileSync(file), file)[0]?.value)
    return Object.fromEntries(
      Object.entries(asObject(xpkgs)).map(([name, locked]) => [name, asText(asObject(locked).tag)]),
    )
  }

  promote(from: string, to: string, ...args: readonly string[]): Promise<CliResult> {
    const homes = [this.at(from), this.at(to)]
    return runFleet('package', 'promote', ...homes, '--packages', this.packages, '--yes', ...args)
  }
}

interface Published {
  readonly requires?: Readonly<Record<string, string>>
  readonly crd?: JsonObject
}

/** The package of `threeHomes`. */
export const NAME = 'registry.test/example/sql'

const at = (tag: string) => [{package: `${NAME}:${tag}`}]

type Tags = readonly [string, string, string]

/** Homes that were locked and rendered once, by what they have. */
const rendered = new Map<string, Promise<Homes>>()

/** The homes canary, staging and production, each with the package in a version. */
export async function threeHomes(tags: Tags, folder = ''): Promise<Homes> {
  const key = JSON.stringify([tags, folder])
  const homes = rendered.get(key) ?? renderedHomes(tags, folder)
  rendered.set(key, homes)
  return (await homes).copy()
}

async function renderedHomes(tags: Tags, folder: string): Promise<Homes> {
  const homes = new Homes()
  for (const tag of ['v1.0.0', 'v1.1.0', 'v1.2.0']) homes.publish('example/sql', tag)
  for (const [index, home] of ['canary', 'staging', 'production'].entries())
    await homes.home(`${folder}clusters/${home}`, at(tags[index] ?? ''))
  return homes
}
