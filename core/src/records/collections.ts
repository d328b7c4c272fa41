/** Names and labels of the service's nine collections. Their fields are in record-fields.ts. */
import type { CollectionId } from '#api/contract/tables.ts';
import { t } from '#base/texts.ts';

export interface CollectionWords {
  /** Plural, for the tree and the result titles. */
  readonly many: string;
  /** Singular, for a record's title. */
  readonly one: string;
  readonly description: string;
  /** Name of a codicon. */
  readonly icon: string;
}

/** Tree order: identities, permissions, sign-in, activity. */
export const collectionOrder = [
  'accounts',
  'roles',
  'accountRoles',
  'accessAssignments',
  'personIsEmployee',
  'authenticators',
  'authenticatorEnrollments',
  'enrollmentViaAuthenticator',
  'activities',
] as const satisfies readonly CollectionId[];

export function collectionWords(collection: CollectionId): CollectionWords {
  return {
    accounts: {
      many: t('Accounts'),
      one: t('Account'),
      description: t('People and machines that can sign in to a connected application'),
      icon: 'account',
    },
    roles: {
      many: t('Roles'),
      one: t('Role'),
      description: t('Groups of permissions with their members and reach'),
      icon: 'organization',
    },
    accountRoles: {
      many: t('Account Roles'),
      one: t('Account Role'),
      description: t('Roles that accounts refer to by name, with the permissions they grant'),
      icon: 'person',
    },
    accessAssignments: {
      many: t('Access Assignments'),
      one: t('Access Assignment'),
      description: t('Access of accounts and groups to objects'),
      icon: 'key',
    },
    personIsEmployee: {
      many: t('Person-Employee Links'),
      one: t('Person-Employee Link'),
      description: t('Links between persons and employees'),
      icon: 'link',
    },
    authenticators: {
      many: t('Authenticators'),
      one: t('Authenticator'),
      description: t('Methods that people authenticate with'),
      icon: 'shield',
    },
    authenticatorEnrollments: {
      many: t('Authenticator Enrollments'),
      one: t('Authenticator Enrollment'),
      description: t('Accounts enrolled in authenticators'),
      icon: 'device-mobile',
    },
    enrollmentViaAuthenticator: {
      many: t('Enrollment Links'),
      one: t('Enrollment Link'),
      description: t('Enrollments and the authenticators they go through'),
      icon: 'references',
    },
    activities: {
      many: t('Activities'),
      one: t('Activity'),
      description: t('Account actions from audit logs'),
      icon: 'pulse',
    },
  }[collection];
}
