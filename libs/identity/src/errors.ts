// The errors of people, sessions and links, which each service adds to its error table.
import {
  type ErrorTable,
  errorEntry as refusal,
  type ServiceError,
  type ServiceErrors,
  type TransportErrorCode,
} from '@counterfoil/kit/http/errors';

export const signInErrors = {
  password_refused: refusal(400, 'Choose another password'),
  not_signed_in: refusal(401, 'Sign in first'),
  // An unknown e-mail, a wrong password, a disabled person and a person without a password all get this
  // answer.
  sign_in_failed: refusal(401, 'The e-mail or the password is wrong'),
  second_factor_required: refusal(401, 'Give the code of your second factor as well'),
  second_factor_invalid: refusal(401, 'The code is wrong or was used already'),
  cross_site_refused: refusal(403, 'This request must come from the panel itself'),
  password_wrong: refusal(403, 'The password is wrong'),
  forbidden: refusal(403, 'Your role does not allow this'),
  // An unknown, a used and an expired link all get this answer.
  link_invalid: refusal(404, 'This link was used already, has expired or never existed'),
  session_not_found: refusal(404, 'There is no such session'),
  person_not_found: refusal(404, 'There is no such person'),
  member_not_found: refusal(404, 'There is no such member'),
  invitation_not_found: refusal(404, 'There is no such invitation'),
  mail_off: refusal(409, 'This installation sends no mail; ask its operator for a link'),
  person_exists: refusal(409, 'A person with this e-mail exists already'),
  already_member: refusal(409, 'This person is a member already'),
  last_owner: refusal(409, 'The last owner or administrator must stay'),
  second_factor_on: refusal(409, 'The second factor is on already'),
  second_factor_off: refusal(409, 'The second factor is not on'),
  second_factor_not_started: refusal(409, 'Start setting up the second factor first'),
} as const satisfies ErrorTable;

/**
 * The codes in `signInErrors`, and `too_many_invitations`. The message of `too_many_invitations` is in the
 * error table of each service.
 */
export type SignInErrorCode = keyof typeof signInErrors | 'too_many_invitations';

/** Makes an `invalid_parameter` error about one field. */
export const invalidField = (
  errors: ServiceErrors<TransportErrorCode>,
  field: string,
  sentence: string,
): ServiceError => errors.fail('invalid_parameter', { errors: { [field]: [sentence] } });
