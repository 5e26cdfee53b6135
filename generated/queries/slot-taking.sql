-- The statements of src/repositories/slot-taking.ts. An argument that may be missing is given.

-- lockSlots
select lock_slots($1);
