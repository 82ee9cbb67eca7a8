// Errors of the service are shown as sentences for people.
import { expect, it } from 'vitest';
import { ApiProblem, describeProblem } from './problem.ts';

it('field names are shown with spaces instead of dots and underscores', () => {
  const errors = { new_password: ['is too short.'], 'buyer.email': ['must be an address.'] };
  const problem = new ApiProblem(400, {
    code: 'none_of_the_panel',
    msg: 'Invalid request',
    errors,
  });
  expect(describeProblem(problem)).toBe('New password is too short. Buyer email must be an address.');
});

it('the sentence for a rate limit says when to try again', () => {
  const format = (seconds?: number) =>
    describeProblem(new ApiProblem(429, { code: 'rate_limited', msg: 'Too many' }, seconds));
  expect(format(59)).toBe('Too many attempts. Try again in 59 seconds.');
  expect(format(3541)).toBe('Too many attempts. Try again in 60 minutes.');
  expect(format()).toBe('Too many');
});
