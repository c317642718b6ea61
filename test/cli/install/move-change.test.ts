import {expect, it} from '@jest/globals'
import {declarationNote} from '../../../src/cli/install/move-change.js'

it.each([
  {with: [], want: 'in a declaration of this cluster, or its next install requests the former package again'},
  {
    with: ['platform:v2.0.0', 'app:v3.0.0'],
    want: ', and request app:v3.0.0, platform:v2.0.0, in a declaration of this cluster, or its next install requests the former packages again',
  },
])('the note on a declaration names the versions $with that change with a move', ({with: changed, want}) => {
  const {message} = declarationNote({from: 'market-sql', to: 'h.io/community/sql', with: changed})
  expect(message).toContain(`replace the package of "market-sql" with h.io/community/sql`)
  expect(message).toContain(want)
})
