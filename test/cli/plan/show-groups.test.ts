import {describe, expect, it} from '@jest/globals'
import {painter} from '../../../src/cli/shell/text/paint.js'
import {changeRows} from '../../../src/cli/plan/show-groups.js'
import {formatNarrow} from '../../../src/cli/shell/text/table.js'
import type {Operation, Plan} from '../../../src/plan/plan.js'

const created = (name: string, at: Partial<Operation> = {}): Operation => ({
  ...{action: 'apply', target: 'cluster', reason: 'the object does not exist', precondition: {absent: true}},
  object: {apiVersion: 'v1', kind: 'ServiceAccount', namespace: 'team', name},
  ...at,
})

function shown(operations: readonly Operation[], showsObjects: boolean, kept?: Plan['kept']) {
  const plan = {operations, unchanged: 0, rejections: [], kept}
  const {rows, isShortened, columns} = changeRows(plan, showsObjects)
  return {lines: formatNarrow(rows, columns, painter(['--no-color'])).flat(), isShortened}
}

const LONG = Array.from({length: 9}, (_, at) => created(`account-with-a-long-name-${at}`))
const KEPT = [{object: {apiVersion: 'v1', kind: 'Secret', namespace: 'team', name: 's'}, reason: 'used'}]

describe('the changes of a plan', () => {
  it.each([
    {
      name: 'count objects and leave out the reason that the verb gives',
      operations: [created('a'), created('b')],
      want: {lines: ['create   2   ServiceAccount   team/a, team/b'], isShortened: false},
    },
    {
      name: 'name the objects that fit',
      operations: LONG,
      want: {
        lines: ['create   9   ServiceAccount   team/account-with-a-long-name-0 and 8 more'],
        isShortened: true,
      },
    },
    {
      name: 'end with the reason of other changes',
      operations: [created('a', {precondition: {uid: 'u'}, reason: 'the object differs from the package'})],
      kept: KEPT,
      want: {
        lines: [
          'keep     1   Secret           team/s   used',
          'update   1   ServiceAccount   team/a   the object differs from the package',
        ],
        isShortened: false,
      },
    },
    {
      name: 'have their reasons below them where a line would be wider than 100 columns',
      operations: ['account-with-a-very-long-name-1', 'account-2', 'a', 'b'].map((name, at) =>
        created(name, at < 2 ? {precondition: {uid: 'u'}, reason: 'the object is taken over'} : {}),
      ),
      want: {
        lines: [
          'update   2   ServiceAccount   team/account-with-a-very-long-name-1, team/account-2',
          '    the object is taken over',
          'create   2   ServiceAccount   team/a, team/b',
        ],
        isShortened: false,
      },
    },
  ])('$name', ({operations, kept, want}) => {
    expect(shown(operations, false, kept)).toEqual(want)
  })

  it('are a line for each object on request, claims included', () => {
    const claim = created('c', {action: 'claim', reason: 'the install a/b uses it'})
    const wait = created('a', {action: 'wait', reason: 'is ready'})
    const file = {action: 'replace', target: 'lock', path: 'x.lock', reason: 'the content changes'} as const
    expect(shown([created('a'), claim, wait, file], true, KEPT)).toEqual({
      lines: [
        'create   ServiceAccount team/a   the object does not exist',
        'claim    ServiceAccount team/c   the install a/b uses it',
        'update   x.lock                  the content changes',
        'keep     Secret team/s           used',
      ],
      isShortened: false,
    })
  })

  it('escape the names of objects', () => {
    expect(shown([created('\u001b[2J')], false).lines.join('')).not.toContain('\u001b')
  })
})
