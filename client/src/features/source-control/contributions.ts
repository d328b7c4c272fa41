/** What this feature contributes to the editor. After a change, run `npm run manifest`. */
import type { Contributions } from '#client/contribution-types.ts';

const here = 'scmProvider == identityQueries';
/** Matches rows that have a file; queries that exist only on the service have none. */
const hasFile = 'scmResourceState =~ /^(conflicts?|here|there)$/';

export const commands = {
  gitPull: {
    id: 'identityQueries.git.pull',
    title: 'Pull Saved Queries into Files',
    palette: 'identityQueries.connection == connected && workspaceFolderCount > 0',
    shortTitle: 'Pull',
    icon: '$(cloud-download)',
    menus: [{ in: 'scm/title', when: here, group: 'navigation@2' }],
  },
  gitPush: {
    id: 'identityQueries.git.push',
    title: 'Push Files to Saved Queries...',
    palette: 'identityQueries.connection == connected && identityQueries.hasQueryFiles',
    shortTitle: 'Push...',
    icon: '$(cloud-upload)',
    menus: [{ in: 'scm/title', when: here, group: 'navigation@3' }],
  },
  gitRefresh: {
    id: 'identityQueries.git.refresh',
    title: 'Compare Files with Saved Queries',
    palette: 'identityQueries.connection == connected && identityQueries.hasQueryFiles',
    shortTitle: 'Refresh',
    icon: '$(refresh)',
    menus: [{ in: 'scm/title', when: here, group: 'navigation@1' }],
  },
  /** Accepts a source control row or the URI of a file. */
  gitResolve: {
    id: 'identityQueries.git.resolve',
    title: 'Resolve Conflict in Merge Editor...',
    shortTitle: 'Resolve in Merge Editor',
    icon: '$(git-merge)',
    palette: 'resourceScheme == file && resourceLangId == identity-sql && identityQueries.hasQueryFiles',
    menus: [
      { in: 'scm/resourceState/context', when: `${here} && scmResourceState == conflict`, group: 'inline@1' },
      {
        in: 'scm/resourceState/context',
        when: `${here} && scmResourceState == conflict`,
        group: '1_resolve@1',
      },
    ],
  },
  /** Accepts a source control row or the URI of a file. */
  gitCompare: {
    id: 'identityQueries.git.compare',
    title: 'Compare File with Saved Query',
    palette: 'resourceScheme == file && resourceLangId == identity-sql && identityQueries.hasQueryFiles',
    shortTitle: 'Compare with Saved Query',
    icon: '$(diff)',
    menus: [
      {
        in: 'scm/resourceState/context',
        when: `${here} && scmResourceState =~ /^(conflicts?|here|gone)$/`,
        group: '2_open@1',
      },
    ],
  },
  /** Accepts a source control row. */
  gitOpenFile: {
    id: 'identityQueries.git.openFile',
    title: 'Open File',
    icon: '$(go-to-file)',
    palette: 'false',
    menus: [
      { in: 'scm/resourceState/context', when: `${here} && ${hasFile}`, group: 'inline@2' },
      { in: 'scm/resourceState/context', when: `${here} && ${hasFile}`, group: '2_open@3' },
    ],
  },
  /** Accepts a source control row or the URI of a file. */
  gitOpenSaved: {
    id: 'identityQueries.git.openSaved',
    title: "Go to This File's Saved Query",
    palette: 'resourceScheme == file && resourceLangId == identity-sql && identityQueries.hasQueryFiles',
    shortTitle: 'Open Saved Query',
    icon: '$(go-to-file)',
    menus: [{ in: 'scm/resourceState/context', when: here, group: '2_open@2' }],
  },
  /** Returns the source control rows by group. For tests. */
  gitState: { id: '_identityQueries.git.state' },
} as const satisfies Contributions['commands'];

export const contextKeys = {
  /** Whether a folder of saved queries is open. */
  hasQueryFiles: 'identityQueries.hasQueryFiles',
} as const satisfies Contributions['contextKeys'];
