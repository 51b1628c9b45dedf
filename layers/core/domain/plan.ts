/** What a user has booked. Its limits are `<plan>_requests_per_hour` and `<plan>_requests_per_month`. */
export type Plan = 'free' | 'pro';
