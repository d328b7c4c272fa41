/** The models for the golden cases. */
import type { Catalogue } from '#server/language/names/catalogue.ts';

const columns = (list: string) =>
  list.split(' ').map((entry) => {
    const [name = '', type = 'text', nullable] = entry.split(':');
    return { name, type, nullable: nullable === 'null' };
  });
const ownId = { name: 'global_id', type: 'text', nullable: false, isOwnId: true };
const reference = {
  name: 'global_person_id',
  type: 'text',
  nullable: false,
  refersTo: [{ table: 'people', column: 'global_id', rank: 0 }],
};
export const goldenCatalogue: Catalogue = {
  models: [
    {
      name: 'platform_identity',
      tables: [
        {
          name: 'accounts',
          columns: columns('id:integer name:text manager_id:integer:null born:date active:boolean'),
        },
        { name: 'roles', columns: columns('id:integer title:text owner_id:integer') },
        { name: 'people', columns: [ownId, ...columns('person_name:text')] },
        { name: 'grants', columns: [ownId, reference] },
      ],
    },
    {
      name: 'platform_governance',
      tables: [{ name: 'reviews', columns: columns('id:integer decision:text') }],
    },
  ],
};
