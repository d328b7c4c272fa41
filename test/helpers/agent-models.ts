/** A small model for tests of agent access: `people` has a non-sensitive key and sensitive columns. */
import { sensitivityBy } from '#core/policy/masking/sensitive-columns.ts';
import type { Catalogue } from '#server/language/names/catalogue.ts';

const columns = (text: string): { name: string; type: string }[] =>
  text.split(', ').map((each) => {
    const [name = '', type = ''] = each.split(' ');
    return { name, type };
  });

const agentModel = 'platform_identity';

export const agentCatalogue: Catalogue = {
  models: [
    {
      name: agentModel,
      tables: [
        {
          name: 'accounts',
          columns: columns(
            'id text, alias text, display_name text, email text, phone text, enabled boolean, type text, department text, manager_id text, manager_emails text[], profile jsonb, score integer',
          ),
        },
        { name: 'roles', columns: columns('id text, name text, description text, member_count numeric') },
        { name: 'memberships', columns: columns('account_id text, role_id text, email text') },
        {
          name: 'teams',
          columns: columns(
            'id text, owner_id text, purpose text, members text[], tree jsonb, since timestamptz',
          ),
        },
        { name: 'untold' },
      ],
    },
    {
      name: 'platform_governance',
      tables: [{ name: 'owners', columns: columns('id text, owner_name text') }],
    },
  ],
};

/** Columns that the contract does not know are masked unless a person opens them. */
export const agentPatterns = [
  '!accounts.manager_id',
  '!accounts.score',
  '!roles.member_count',
  '!roles.description',
  '!memberships.*_id',
  '!owners.id',
  '!teams.*',
];
export const agentSensitivity = sensitivityBy(agentPatterns);
