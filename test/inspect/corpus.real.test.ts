import {expect, it} from '@jest/globals'
import {join} from 'node:path'
import {formatInspection} from '../../src/cli/inspect/show-inspection.js'
import {formatDocument} from '../../src/cli/shell/document/show.js'
import type {InspectReport} from '../../src/inspect/inspect-report.js'
import {localFile, localFiles} from '../../src/adapters/local-files.js'
import {localPackage} from '../../src/adapters/local-package.js'
import {renderPackage} from '../../src/package/stack/render-package.js'
import {ERAS} from '../../src/render/era.js'
import type {InstallSet} from '../../src/render/install-set.js'
import {asObject, asObjects, asText, type JsonObject} from '../../src/yaml/json-value.js'
import {CORPUS_ROOT, corpusEntries, describeCorpus} from '../corpus.js'
import {schemaViolations} from '../json-schema.js'
import {inspectHere} from './inspect-here.js'
import {REPORT_SCHEMA} from './report-schema.js'

const names = corpusEntries('corpus').filter(name => name.includes('@'))
const folderOf = (name: string) => join(CORPUS_ROOT, 'corpus', name)
const said = (name: string) => ({
  asPackage: `crossplane/${name.replace('@', ':')}`,
  namespace: 'team-a',
})

async function rendered(name: string): Promise<InstallSet> {
  const {asPackage, namespace} = said(name)
  const parameters = {
    namespace,
    systemNamespace: 'crossplane-system',
    imagePullSecrets: [],
    serviceAccountAnnotations: {},
    pin: true,
  }
  return await renderPackage(
    {reference: folderOf(name), asPackage, parameters},
    {
      era: ERAS.packages,
      base: false,
      pin: true,
      createNamespace: false,
      crds: {apiVersion: 'v1', nonStructural: 'refuse'},
      includeRequest: false,
      allowCorePermissions: false,
      allowFullDeployment: false,
    },
    {sources: {directory: localPackage, files: localFiles, file: localFile}, remote: {}},
  )
}

const ofKind = ({objects}: InstallSet, kind: string) =>
  objects.map(({object}) => object).filter(object => object.kind === kind)

function imagesOf(set: InstallSet): string[] {
  const pods = ofKind(set, 'Deployment').map(({spec}) => asObject(asObject(asObject(spec).template).spec))
  return pods
    .flatMap(pod => [...asObjects(pod.initContainers), ...asObjects(pod.containers)])
    .map(({image}) => asText(image))
}

function rulesOf(set: InstallSet): readonly JsonObject[] {
  const record = ofKind(set, ERAS.packages.kinds.record)[0]
  return asObjects(asObject(asObject(record?.spec).permissions).rules)
}

const listed = ({runs, permissions, provides, objects}: InspectReport) => ({
  images: runs.containers.map(({image}) => image),
  uses: runs.images.flatMap(({usedBy}) => usedBy).length,
  rules: permissions.rules.map(({rule}) => rule),
  crds: provides.map(({name, apiVersion}) => `${apiVersion} ${name}`),
  objects: objects.reduce((sum, {count}) => sum + count, 0),
})

/** `preserveUnknownFields: true` */
const KEEPING: Readonly<Record<string, readonly string[]>> = {
  'app-wordpress@v0.1.0': ['wordpressinstances.wordpress.samples.stacks.crossplane.io'],
  'app-wordpress@v0.5.0': ['wordpressinstances.wordpress.apps.crossplane.io'],
}

describeCorpus('inspect of real packages', () => {
  it.each(names)('%s: no part of its install is omitted', async name => {
    const [set, report] = [await rendered(name), await inspectHere(folderOf(name), said(name))]
    expect(listed(report)).toEqual({
      images: imagesOf(set),
      uses: imagesOf(set).length,
      rules: rulesOf(set),
      crds: ofKind(set, 'CustomResourceDefinition')
        .map(({apiVersion, metadata}) => `${apiVersion} ${metadata.name}`)
        .sort(),
      objects: set.objects.length,
    })
    const document = JSON.parse(formatDocument({kind: 'InspectReport', ...report}, 'json')) as unknown
    expect(schemaViolations(REPORT_SCHEMA, document)).toEqual([])
  })

  it.each(names)(
    '%s: reports dropped unknown fields of its CRDs, unless its author preserves them',
    async name => {
      const {provides} = await inspectHere(folderOf(name), said(name))
      const kept = provides.filter(({versions}) =>
        versions.some(({unknownFields}) => unknownFields === 'kept'),
      )
      expect(kept.map(crd => crd.name)).toEqual(KEEPING[name] ?? [])
    },
  )

  it.each(names)('%s: works without any flag', async name => {
    const report = await inspectHere(folderOf(name))
    expect(report.permissions.needAllowCorePermissions).toBe(false)
    expect(formatInspection(report, (_style, text) => text)).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u)
  })
})
