import {temporaryFolder} from '../temporary-folder.js'
import {describeCore} from '../xpkg/core/describe-core.js'
import {testRings} from '../xpkg/core/ringed.js'

const temporary = temporaryFolder()

// CI has one cluster, in test/xpkg/core/core.real.test.ts.
describeCore('the first of three clusters', first => {
  describeCore('the second', second => {
    describeCore('the third', third => {
      testRings(() => [first(), second(), third()], temporary)
    })
  })
})
