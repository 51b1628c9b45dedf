export {
  type AddressView,
  newAccountPage,
  type NewAccountView,
  newPasswordPage,
  type NewPasswordView,
  resetPage,
  signUpPage,
} from './account.ts';
export {
  closedServerPage,
  type ClosedServerView,
  consentPage,
  type ConsentView,
  type ShownChoice,
  type ShownServer,
} from './consent.ts';
export type { FieldFault, AfterSignIn, PageBasics } from './layout.ts';
export { commandLinePage, type CommandLineView } from './command-line.ts';
export { addressPage, loginPage, type LoginView } from './login.ts';
export { mailSentPage, type MailSentView } from './mail-sent.ts';
export { openPage, type OpenView } from './open.ts';
export { noticePage, type NoticeView } from './notice.ts';
