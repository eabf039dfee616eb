// The chapter of a campaign, from its journal and its decision.

#pragma once

#include "report/chapter.h"

namespace vyre::report {

// Of a campaign that is finished, interrupted or under way. `source` names the file, for people.
Chapter chapter_of(const ReadJournal& journal, std::string source);

// Of a decision, with the journal that it rests on. Null: there is none, and the chapter says so.
Chapter chapter_of(const Listed& listed, const ReadJournal* journal, std::string source);

}  // namespace vyre::report
