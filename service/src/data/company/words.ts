/** Words for synthetic records. Names are random combinations and refer to no real person. */
export const givenNames = [
  'Ada', 'Aiko', 'Alma', 'Amir', 'Ana', 'Anders', 'Aron', 'Bela', 'Bruno', 'Camila', 'Carla', 'Chidi', 'Clara',
  'Dario', 'Diego', 'Dina', 'Edda', 'Elif', 'Emeka', 'Emil', 'Erin', 'Eva', 'Farah', 'Felix', 'Fiona', 'Greta',
  'Hana', 'Hugo', 'Ida', 'Ines', 'Ivan', 'Jana', 'Jonas', 'Kai', 'Karim', 'Katja', 'Kenji', 'Lara', 'Leila', 'Leo',
  'Lin', 'Luca', 'Maja', 'Marco', 'Mei', 'Milan', 'Mira', 'Nadia', 'Nils', 'Noor', 'Olga', 'Omar', 'Priya', 'Rafael',
  'Rosa', 'Samir', 'Sofia', 'Tariq', 'Vera', 'Yara', 'Zoë',
] as const; // oxfmt-ignore

export const familyNames = [
  'Abara', 'Adler', 'Almeida', 'Andersen', 'Bakker', 'Bauer', 'Berg', 'Bianchi', 'Blom', 'Castro', 'Cohen', 'Costa',
  'Dahl', 'Demir', 'Diaz', 'Dubois', 'Eriksen', 'Ferrari', 'Fischer', 'Fontaine', 'Garcia', 'Gruber', 'Haddad',
  'Hansen', 'Horvat', 'Ibrahim', 'Ito', 'Ivanova', 'Jansen', 'Jensen', 'Kaya', 'Keller', 'Khan', 'Kim', 'Kowalska',
  'Kumar', 'Lang', 'Larsen', 'Lindqvist', 'Lopez', 'Marino', 'Martin', 'Mbeki', 'Meyer', 'Moreau', 'Moretti',
  'Nakamura', 'Nguyen', 'Novak', 'Nowak', "O'Brien", 'Okafor', 'Olsen', 'Patel', 'Peeters', 'Pereira', 'Petrov',
  'Popescu', 'Ricci', 'Rossi', 'Santos', 'Sato', 'Schmid', 'Silva', 'Singh', 'Smit', 'Sørensen', 'Suzuki', 'Tanaka',
  'Torres', 'Tran', 'Vargas', 'Vogel', 'Weber', 'Wong', 'Yamada', 'Yilmaz', 'Zhang', 'Ziegler', 'Zhou',
] as const; // oxfmt-ignore

export interface Department {
  readonly name: string;
  readonly costCenter: string;
  readonly jobFamily: string;
  readonly titles: readonly [string, ...string[]];
}

export const departments: readonly [Department, ...Department[]] = [
  department(
    'Engineering',
    'CC-100',
    'Technology',
    'Software Engineer',
    'Senior Software Engineer',
    'Team Lead',
  ),
  department(
    'Engineering',
    'CC-100',
    'Technology',
    'Site Reliability Engineer',
    'Test Engineer',
    'Architect',
  ),
  department('Product', 'CC-110', 'Technology', 'Product Manager', 'Designer', 'User Researcher'),
  department(
    'IT Operations',
    'CC-120',
    'Technology',
    'Systems Administrator',
    'Service Desk Agent',
    'Network Engineer',
  ),
  department(
    'Security',
    'CC-130',
    'Technology',
    'Security Analyst',
    'Identity Engineer',
    'Security Architect',
  ),
  department('Finance', 'CC-200', 'Business', 'Accountant', 'Controller', 'Treasury Analyst'),
  department('Human Resources', 'CC-210', 'Business', 'Recruiter', 'People Partner', 'Payroll Specialist'),
  department('Legal', 'CC-220', 'Business', 'Counsel', 'Contract Manager', 'Privacy Officer'),
  department('Sales', 'CC-300', 'Market', 'Account Executive', 'Sales Engineer', 'Sales Manager'),
  department('Marketing', 'CC-310', 'Market', 'Campaign Manager', 'Writer', 'Events Manager'),
  department('Support', 'CC-320', 'Market', 'Support Engineer', 'Support Lead', 'Customer Success Manager'),
  department('Operations', 'CC-400', 'Operations', 'Planner', 'Logistics Coordinator', 'Facility Manager'),
];

function department(
  name: string,
  costCenter: string,
  jobFamily: string,
  ...titles: [string, ...string[]]
): Department {
  return { name, costCenter, jobFamily, titles };
}

export interface Application {
  /** Short name, used in aliases and role names. */
  readonly key: string;
  readonly name: string;
  readonly profile: string;
  /** The application's roles, most powerful first. */
  readonly roles: readonly [string, ...string[]];
  readonly resources: readonly [string, ...string[]];
}

/** The first application is the directory, where every person has an account. */
export const applications: readonly [Application, ...Application[]] = [
  application('dir', 'Company Directory', 'DirectoryAccount', ['Global Administrator', 'User Administrator', 'Help Desk', 'Directory Reader', 'Member'], ['Groups', 'Policies', 'Devices']),
  application('code', 'Source Control', 'Account', ['Organization Owner', 'Maintainer', 'Developer', 'Reviewer', 'Reader'], ['platform', 'billing-api', 'web-shop']),
  application('crm', 'Customer Relations', 'Account', ['System Administrator', 'Sales Manager', 'Sales User', 'Report Viewer'], ['Accounts', 'Opportunities', 'Reports']),
  application('fin', 'Finance Ledger', 'Account', ['Ledger Administrator', 'Payment Approver', 'Bookkeeper', 'Auditor'], ['General ledger', 'Payments', 'Suppliers']),
  application('cloud', 'Cloud Console', 'Principal', ['Owner', 'Network Administrator', 'Operator', 'Billing Viewer', 'Viewer'], ['production', 'staging', 'backups']),
  application('tick', 'Ticketing', 'Account', ['Administrator', 'Queue Manager', 'Agent', 'Requester'], ['Incidents', 'Changes', 'Requests']),
  application('chat', 'Team Chat', 'Member', ['Workspace Owner', 'Workspace Admin', 'Member', 'Guest'], ['general', 'incidents', 'hiring']),
  application('wiki', 'Knowledge Base', 'Account', ['Site Administrator', 'Space Owner', 'Editor', 'Reader'], ['Handbook', 'Runbooks', 'Board papers']),
  application('pay', 'Payroll', 'Worker', ['Payroll Administrator', 'Payroll Manager', 'Employee Self Service'], ['Salaries', 'Payslips', 'Tax forms']),
  application('dwh', 'Data Warehouse', 'User', ['Account Administrator', 'Data Engineer', 'Analyst', 'Dashboard Viewer'], ['sales_mart', 'people_mart', 'raw_events']),
  application('ci', 'Build Pipeline', 'Account', ['Administrator', 'Release Manager', 'Builder', 'Viewer'], ['deploy-production', 'nightly', 'release']),
  application('vpn', 'Remote Access', 'Account', ['Gateway Administrator', 'Full Tunnel User', 'Split Tunnel User'], ['core-network', 'lab-network', 'office-network']),
]; // oxfmt-ignore

function application(
  key: string,
  name: string,
  profile: string,
  roles: [string, ...string[]],
  resources: [string, ...string[]],
): Application {
  return { key, name, profile, roles, resources };
}

export const authenticatorKinds = [
  { name: 'Push Approval', type: 'Push', description: 'Approval on a registered phone', device: 'Phone' },
  { name: 'One-Time Codes', type: 'TOTP', description: 'Time-based one-time code', device: undefined },
  { name: 'Security Keys', type: 'FIDO2', description: 'Hardware security key', device: 'Security key' },
  { name: 'Text Messages', type: 'SMS', description: 'Code by text message', device: undefined },
  { name: 'Platform Passkeys', type: 'Passkey', description: 'Passkey of the device', device: 'Laptop' },
  { name: 'Smart Cards', type: 'X509', description: 'Certificate on a smart card', device: 'Smart card' },
] as const;

export const countries = ['BR', 'DE', 'ES', 'FR', 'GB', 'IN', 'IT', 'JP', 'NL', 'PL', 'SE', 'US'] as const;

export const browsers = [['Chrome', '142.0'], ['Edge', '142.0'], ['Firefox', '145.0'], ['Safari', '26.1']] as const; // oxfmt-ignore
export const systems = [['Windows', '11'], ['macOS', '26'], ['Ubuntu', '24.04'], ['iOS', '26'], ['Android', '16']] as const; // oxfmt-ignore
