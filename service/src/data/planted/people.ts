/** The people who hold planted accounts. Their directory accounts are separate cases. */
import type { PlantedPerson } from './planted-case.ts';

const enrolled = { status: 'Active', daysAgo: 300 } as const;
const revoked = { status: 'Revoked', daysAgo: 300 } as const;

export const plantedPeople: readonly PlantedPerson[] = [
  { key: 'employee', says: 'current employee with an active security key', enrollment: enrolled },
  { key: 'accountant', says: 'works in Finance', work: 'business', enrollment: enrolled },
  { key: 'left', says: 'left 120 days ago, security key revoked', leftDaysAgo: 120, enrollment: revoked },
  { key: 'left-yesterday', says: 'left yesterday', leftDaysAgo: 1, enrollment: revoked },
  {
    key: 'left-with-key',
    says: 'left 120 days ago, security key still active',
    leftDaysAgo: 120,
    enrollment: enrolled,
  },
  { key: 'without-factor', says: 'current employee without an authenticator' },
  {
    key: 'still-enrolling',
    says: 'started enrolling 3 days ago',
    enrollment: { status: 'Pending', daysAgo: 3 },
  },
  {
    key: 'enrolling-late',
    says: 'started enrolling 40 days ago and never finished',
    enrollment: { status: 'Pending', daysAgo: 40 },
  },
  { key: 'books-and-payments', says: 'enters and approves payments', enrollment: enrolled },
  { key: 'payroll-and-payments', says: 'administers payroll and approves payments', enrollment: enrolled },
  { key: 'code-and-release', says: 'writes and releases code', enrollment: enrolled },
  { key: 'three-applications', says: 'administers three applications', enrollment: enrolled },
  {
    key: 'separate-duties',
    says: 'enters payments, changes salaries and writes code, but neither approves payments nor releases code; administers two applications',
    enrollment: enrolled,
  },
];
