import {beforeEach, describe, expect, it} from '@jest/globals'
import {asObject, asObjects, CrossplaneError, type KubernetesObject} from 'kubectl-crossplane/plugin'
import {MemoryCluster, PARENT, Stopped} from './memory-cluster.js'

let cluster: MemoryCluster
beforeEach(() => {
  cluster = new MemoryCluster()
})

function map(
  name: string,
  value = 'x',
  annotations: Readonly<Record<string, string>> = {},
): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {name, namespace: 'team', annotations},
    data: {value},
  }
}

function priority(value: number): Readonly<Record<string, string>> {
  return {'templatestacks.crossplane.io/deletion-priority': String(value)}
}

function conditionOf({parent}: MemoryCluster) {
  const [condition] = asObjects(asObject(parent?.status).conditions)
  return {status: condition?.status, reason: condition?.reason, message: condition?.message}
}

function deleteParent(): void {
  const {parent} = cluster
  if (parent === undefined) throw new Error('there is no custom resource')
  cluster.set({...parent, metadata: {...parent.metadata, deletionTimestamp: '2026-01-01T00:00:00Z'}})
}

const broken = new CrossplaneError('package-invalid', 'cannot render it')
const SYNCED = {status: 'True', reason: 'ReconcileSuccess', message: ''}

describe('a pass', () => {
  it('records objects before it applies the first, and reports at the end', async () => {
    cluster.rendered = [map('a'), map('b')]
    expect(await cluster.pass()).toEqual([
      'finalizers templating-controller.crossplane.io',
      'record a b',
      'apply a',
      'apply b',
      'record a! b!',
      'event Normal ReconcileSuccess',
      'status ReconcileSuccess',
    ])
    expect(conditionOf(cluster)).toEqual(SYNCED)
  })

  it('writes nothing where nothing changed, also in a new process', async () => {
    cluster.rendered = [map('a')]
    await cluster.pass()
    const second = await cluster.pass()
    cluster.memory = new Map()
    expect([second, await cluster.pass()]).toEqual([[], []])
  })

  it('applies what someone else changed, and nothing else', async () => {
    cluster.rendered = [map('a'), map('b')]
    await cluster.pass()
    const live = cluster.get(map('b'))
    cluster.set({...map('b', 'changed'), metadata: {...live?.metadata, name: 'b'}})
    expect(await cluster.pass()).toEqual(['apply b', 'event Normal DriftCorrected'])
  })

  it('applies an object that someone deleted', async () => {
    cluster.rendered = [map('a')]
    await cluster.pass()
    cluster.objects.clear()
    cluster.set(PARENT)
    cluster.memory = new Map()
    await cluster.pass()
    expect(cluster.names()).toEqual(['ConfigMap team/a'])
  })

  it('keeps hashes of Secrets in memory only', async () => {
    const secret = {...map('s'), kind: 'Secret'}
    cluster.rendered = [secret]
    await cluster.pass()
    const second = await cluster.pass()
    const record = [...cluster.objects.values()].find(
      ({metadata}) => metadata.name === 'template-children-parent',
    )
    expect({second, hasHash: JSON.stringify(record?.data).includes('sent')}).toEqual({
      second: [],
      hasHash: false,
    })
    cluster.memory = new Map()
    expect(await cluster.pass()).toEqual(['apply s'])
  })

  it('deletes what is no longer rendered after everything else was applied', async () => {
    cluster.rendered = [map('a'), map('b')]
    await cluster.pass()
    cluster.rendered = [map('a', 'y')]
    expect(await cluster.pass()).toEqual([
      'apply a',
      'delete b',
      'event Normal Pruned',
      'record a! b!',
      'status ReconcileSuccess',
    ])
    expect(await cluster.pass()).toEqual(['record a!', 'status ReconcileSuccess'])
    expect(cluster.names()).toEqual(['ConfigMap team/a'])
  })

  it('deletes nothing while templates fail', async () => {
    cluster.rendered = [map('a'), map('b')]
    await cluster.pass()
    cluster.rendered = broken
    expect(await cluster.pass()).toEqual(['event Warning TemplateError', 'status TemplateError'])
    expect(cluster.names()).toEqual(['ConfigMap team/a', 'ConfigMap team/b'])
  })

  it('deletes nothing while an object cannot be applied', async () => {
    cluster.rendered = [map('a')]
    await cluster.pass()
    cluster.set({...map('theirs'), metadata: {...map('theirs').metadata, uid: 't'}})
    cluster.rendered = [map('theirs')]
    await cluster.pass()
    expect(cluster.names()).toEqual(['ConfigMap team/a', 'ConfigMap team/theirs'])
  })

  it('keeps an object by annotation, until the custom resource is deleted', async () => {
    cluster.rendered = [map('a', 'x', {'templatestacks.crossplane.io/prune': 'false'})]
    await cluster.pass()
    cluster.rendered = []
    expect(await cluster.pass()).toEqual([])
    deleteParent()
    await cluster.pass()
    expect(cluster.names()).toEqual([])
  })

  it('leaves an object of others alone, names it, and applies the others', async () => {
    const theirs = {...map('theirs', 'theirs'), metadata: {name: 'theirs', namespace: 'team', uid: 't'}}
    cluster.set(theirs)
    cluster.rendered = [map('theirs'), map('a')]
    await cluster.pass()
    expect({condition: conditionOf(cluster), theirs: cluster.get(theirs), names: cluster.names()}).toEqual({
      condition: {
        status: 'False',
        reason: 'NotOwned',
        message: 'cannot apply ConfigMap team/theirs: it exists, and does not belong to the custom resource',
      },
      theirs,
      names: ['ConfigMap team/a', 'ConfigMap team/theirs'],
    })
    expect(await cluster.pass()).toEqual([])
  })

  it('takes nothing over for an annotation that its user writes', async () => {
    const {parent} = cluster
    if (parent === undefined) throw new Error('there is no custom resource')
    const annotations = {'templatestacks.crossplane.io/adopt': 'true'}
    cluster.set({...parent, metadata: {...parent.metadata, annotations}})
    const theirs = {apiVersion: 'v1', kind: 'ClusterThing', metadata: {name: 'big', uid: 't'}}
    cluster.set(theirs)
    cluster.rendered = [{...theirs, metadata: {name: 'big'}}]
    await cluster.pass()
    expect(cluster.get(theirs)).toBe(theirs)
    deleteParent()
    await cluster.pass()
    await cluster.pass()
    expect([cluster.get(theirs), cluster.parent]).toEqual([theirs, undefined])
  })

  it('does not delete an object of others that has the name of a recorded one', async () => {
    cluster.rendered = [map('a')]
    await cluster.pass()
    const theirs = {...map('a', 'theirs'), metadata: {name: 'a', namespace: 'team', uid: 't'}}
    cluster.set(theirs)
    cluster.rendered = []
    expect(await cluster.pass()).toEqual(['event Warning NotOwned', 'record '])
    expect(cluster.get(theirs)).toBe(theirs)
  })

  it('changes nothing without a valid definition', async () => {
    cluster.rendered = [map('a')]
    await cluster.pass()
    cluster.problem = {reason: 'StackDefinitionInvalid', message: 'no engine'}
    cluster.rendered = []
    expect(await cluster.pass()).toEqual([
      'event Warning StackDefinitionInvalid',
      'status StackDefinitionInvalid',
    ])
    expect(cluster.names()).toEqual(['ConfigMap team/a'])
  })
})

describe('the deletion of a custom resource', () => {
  it('deletes objects by priority, each group when the one before is gone', async () => {
    cluster.rendered = [map('last', 'x', priority(-1)), map('first', 'x', priority(5)), map('middle')]
    await cluster.pass()
    cluster.stuck.add('first')
    deleteParent()
    const waiting = [await cluster.pass(), await cluster.pass()]
    const condition = conditionOf(cluster)
    cluster.objects.delete([...cluster.objects.keys()].find(key => key.endsWith('first')) ?? '')
    const rest = [await cluster.pass(), await cluster.pass(), await cluster.pass()]
    expect({waiting, condition, rest, parent: cluster.parent}).toEqual({
      waiting: [['delete first', 'status Deleting'], []],
      condition: {
        status: 'True',
        reason: 'Deleting',
        message: 'waiting for the deletion of ConfigMap team/first',
      },
      rest: [
        ['delete middle', 'status Deleting'],
        ['delete last', 'status Deleting'],
        ['remove record', 'finalizers none'],
      ],
      parent: undefined,
    })
  })

  it.each([
    {name: 'templates fail', fail: () => (cluster.rendered = broken)},
    {
      name: 'the definition is not valid',
      fail: () => (cluster.problem = {reason: 'StackDefinitionInvalid', message: 'no engine'}),
    },
  ])('ends while $name', async ({fail}) => {
    cluster.rendered = [map('a')]
    await cluster.pass()
    fail()
    deleteParent()
    await cluster.pass()
    await cluster.pass()
    expect({names: cluster.names(), parent: cluster.parent}).toEqual({names: [], parent: undefined})
  })

  it('deletes what is rendered if there is no record, such as of the original controller', async () => {
    cluster.rendered = [map('a')]
    await cluster.pass()
    cluster.objects.delete([...cluster.objects.keys()].find(key => key.includes('template-children')) ?? '')
    deleteParent()
    await cluster.pass()
    await cluster.pass()
    expect({names: cluster.names(), parent: cluster.parent}).toEqual({names: [], parent: undefined})
  })
})

describe('a process that ends', () => {
  /** A life with all kinds of changes; returns the objects after each of its parts. */
  async function life(end: number): Promise<readonly (readonly string[])[]> {
    const states: (readonly string[])[] = []
    cluster.writesLeft = end
    const settle = async () => {
      for (let pass = 0; pass < 8; pass++) {
        await cluster.pass().catch((error: unknown) => {
          if (!(error instanceof Stopped)) throw error
          // Another process continues, without the memory of this one.
          cluster.writesLeft = Infinity
          cluster.memory = new Map()
        })
      }
      states.push(cluster.names())
    }
    cluster.rendered = [map('a'), map('b'), {apiVersion: 'v1', kind: 'ClusterThing', metadata: {name: 'big'}}]
    await settle()
    cluster.rendered = [map('b', 'y'), map('c')]
    await settle()
    deleteParent()
    await settle()
    return [...states, [String(cluster.parent?.metadata.name)], [...cluster.objects.keys()]]
  }

  const want = [
    ['ClusterThing big', 'ConfigMap team/a', 'ConfigMap team/b'],
    ['ConfigMap team/b', 'ConfigMap team/c'],
    [],
    ['undefined'],
    [],
  ]

  it.each(Array.from({length: 28}, (_, end) => end))(
    'before write %i leaves what the next one completes',
    async end => {
      expect(await life(end)).toEqual(want)
    },
  )

  it('has fewer writes than that in its life', async () => {
    await life(Infinity)
    expect(cluster.log.length).toBeLessThan(28)
  })
})
