/** People who hold planted accounts. Their directory accounts are separate cases. */
import type { PlantedPerson } from './planted-case.ts';

const enrolled = { status: 'Active', daysAgo: 300 } as const;
const revoked = { status: 'Revoked', daysAgo: 300 } as const;

export const plantedPeople: readonly PlantedPerson[] = [
  { key: 'employee', says: 'works here and has an active security key', enrollment: enrolled },
  { key: 'accountant', says: 'works in Finance', work: 'business', enrollment: enrolled },
  { key: 'left', says: 'left 120 days ago, security key revoked', leftDaysAgo: 120, enrollment: revoked },
  { key: 'left-yesterday', says: 'left yesterday', leftDaysAgo: 1, enrollment: revoked },
  {
    key: 'left-with-key',
    says: 'left 120 days ago, security key still active',
    leftDaysAgo: 120,
    enrollment: enrolled,
  },
  { key: 'without-factor', says: 'works here without any authenticator' },
  {
    key: 'still-enrolling',
    says: 'started to enroll 3 days ago',
    enrollment: { status: 'Pending', daysAgo: 3 },
  },
  {
    key: 'enrolling-late',
    says: 'started to enroll 40 days ago and never finished',
    enrollment: { status: 'Pending', daysAgo: 40 },
  },
  { key: 'books-and-payments', says: 'enters and approves payments', enrollment: enrolled },
  { key: 'payroll-and-payments', says: 'administers payroll and approves payments', enrollment: enrolled },
  { key: 'code-and-release', says: 'develops and releases', enrollment: enrolled },
  { key: 'three-applications', says: 'administers three applications', enrollment: enrolled },
  {
    key: 'separate-duties',
    says: 'enters payments, changes salaries and develops, but approves and releases nothing, and administers two applications',
    enrollment: enrolled,
  },
];
